import { useQuery } from '@tanstack/react-query';
import { adminEndSession } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { sessionsQuery } from '../api/settings.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { deviceName } from './device-name.ts';
import { Loaded, Section } from './section.tsx';
import { useChange } from './use-change.ts';

/**
 * The browsers that the person is signed in with (program, address, last seen), and the button that signs another one
 * out.
 */
export function SessionsSection() {
  const query = useQuery(sessionsQuery);
  const end = useChange({
    send: (id: string) => answerOf(adminEndSession(id)),
    said: () => 'Signed that browser out',
  });
  return (
    <Section title="Signed-in browsers" about="End what you do not know, and change your password.">
      <Loaded query={query} what="Your sessions">
        {({ sessions }) => (
          <Table
            label="Signed-in browsers"
            className="tall settings"
            columns={[
              { id: 'device', label: 'Browser' },
              { id: 'seen', label: 'Last seen', width: 140 },
              { id: 'act', label: '', name: 'Actions', width: 96 },
            ]}
          >
            {sessions.map(({ session_id, device, address, seen_at, is_this }) => (
              <TableRow key={session_id} data-testid={`session-${session_id}`}>
                <td title={device}>
                  <span className="two">
                    <b>{deviceName(device)}</b>
                    <span>{address}</span>
                  </span>
                </td>
                <td className="quiet">
                  <RelativeTime at={seen_at} as="sentence" />
                </td>
                <td className="r">
                  {is_this ? (
                    <Badge tone="done">This one</Badge>
                  ) : (
                    <Button size="small" onClick={() => end.mutate(session_id)}>
                      End
                    </Button>
                  )}
                </td>
              </TableRow>
            ))}
          </Table>
        )}
      </Loaded>
    </Section>
  );
}
