import { useQuery } from '@tanstack/react-query';
import { adminRevokeToken } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { peopleQuery, type Token, tokensQuery } from '../api/settings.ts';
import { plural } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { NewToken } from './new-token.tsx';
import { Loaded, Section } from './section.tsx';
import { useChange } from './use-change.ts';

/** The tokens of people and services, and the way to revoke one. Those of agents are on the page of each agent. */
export function TokensSection() {
  const query = useQuery(tokensQuery);
  const { data: people = [] } = useQuery(peopleQuery);
  const [ending, setEnding] = useState<Token | null>(null);
  const [isAdding, setAdding] = useState(false);
  const revoke = useChange({
    send: ({ token_id }: Token) => answerOf(adminRevokeToken(token_id)),
    said: ({ name }) => `Revoked ${name}`,
    onDone: () => setEnding(null),
  });
  return (
    <Section
      title="Tokens"
      about="Programs and command lines of people use these. Tokens of agents are with the agents."
    >
      <Loaded query={query} what="The tokens">
        {(tokens) =>
          tokens.length === 0 ? (
            <p className="quiet">Nobody has a token.</p>
          ) : (
            <Table
              label="Tokens"
              className="tall settings"
              columns={[
                { id: 'name', label: 'Name' },
                { id: 'of', label: 'Of', width: 140 },
                { id: 'ends', label: 'Ends', width: 120 },
                { id: 'act', label: '', name: 'Actions', width: 96 },
              ]}
            >
              {tokens.map((token) => (
                <TableRow key={token.token_id} data-testid={`token-${token.name}`}>
                  <td>
                    <span className="two">
                      <b>{token.name}</b>
                      <span title={token.scopes.join(', ')}>{plural(token.scopes.length, 'scope')}</span>
                    </span>
                  </td>
                  <td className="quiet">
                    {token.app ?? people.find(({ user_id }) => user_id === token.user_id)?.name ?? 'a person'}
                  </td>
                  <td className="quiet">
                    {token.expires_at === null ? 'never' : <RelativeTime at={token.expires_at} as="sentence" />}
                  </td>
                  <td className="r">
                    <Button size="small" kind="danger" onClick={() => setEnding(token)}>
                      Revoke
                    </Button>
                  </td>
                </TableRow>
              ))}
            </Table>
          )
        }
      </Loaded>
      <div className="set-send">
        <Button icon="plus" onClick={() => setAdding(true)}>
          New token
        </Button>
      </div>
      {isAdding ? <NewToken onClose={() => setAdding(false)} /> : null}
      <Confirm
        open={ending !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setEnding(null))}
        title={`Revoke ${ending?.name ?? 'the token'}?`}
        verb="Revoke the token"
        danger
        busy={revoke.isPending ? 'Revoking…' : false}
        onConfirm={() => (ending === null ? undefined : revoke.mutate(ending))}
      >
        <p>Whatever uses it is refused from now on. This cannot be undone.</p>
      </Confirm>
    </Section>
  );
}
