import { CopyButton } from '../ui/copy-button.tsx';

interface TokenOnceProps {
  readonly token: string;
  readonly hint: string;
}

/** A new token. Nobody can read it a second time. */
export function TokenOnce({ token, hint }: TokenOnceProps) {
  return (
    <div className="field">
      <span>Token</span>
      <span className="hint">{hint}</span>
      <span className="token">
        <code data-testid="token">{token}</code>
        <CopyButton as="button" text={token} label="Copy" />
      </span>
    </div>
  );
}
