import { countListings, ENCODING, MAX_TOKENS } from '../listing-tokens.ts';
import type { Finding, Section } from '../report.ts';
import type { Suite } from '../suite.ts';

const figure = (value: number): string => `${value.toLocaleString('en')} tokens`;

const finding = (subject: string, tokens: number, most: number): Finding => ({
  subject,
  figure: figure(tokens),
  target: `≤ ${most.toLocaleString('en')}`,
  met: tokens <= most,
});

/** Measures how much of a model's context the tool listings take. */
export const listing: Suite = async (): Promise<Section> => ({
  title: 'Listing: `tools/list`',
  how: `Tokens of ${ENCODING} for a caller who may call every tool. The model reads name, description and arguments of each tool; the whole answer has output schemas and hints too.`,
  findings: countListings().flatMap(({ address, tools, model, whole, max_whole }) => [
    address === '/mcp'
      ? { subject: `\`${address}\`, ${tools} tools: what the model reads`, figure: figure(model) }
      : finding(`\`${address}\`, ${tools} tools: what the model reads`, model, MAX_TOKENS.model),
    finding(`\`${address}\`: whole answer`, whole, max_whole),
  ]),
});
