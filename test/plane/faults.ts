import type { ServerResponse } from 'node:http';

/** A fault between an effect and its answer. `lost` has the effect and no answer; the others have neither. */
export type Fault =
  | { readonly kind: 'lost' | 'refused' | 'hangs' | 'endless' }
  | {
      readonly kind: 'answers';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    };

interface Planned {
  readonly method: string;
  readonly path: RegExp;
  readonly fault: Fault;
}

const CHUNK = Buffer.alloc(64 * 1024, ' ');

function pourForever(response: ServerResponse): void {
  const pour = () => {
    while (!response.destroyed && response.write(CHUNK));
  };
  response.on('drain', pour);
  pour();
}

/** Creates a queue of faults. Each waits for the first matching request, and happens once. */
export function createFaults() {
  const planned: Planned[] = [];

  return {
    plan: (method: string, path: RegExp, fault: Fault): void => {
      planned.push({ method, path, fault });
    },
    take: (method: string, url: string): Fault | null => {
      const index = planned.findIndex((each) => each.method === method && each.path.test(url));
      return index < 0 ? null : (planned.splice(index, 1)[0]?.fault ?? null);
    },
  };
}

/** Answers with a fault. A hanging request is held open until the client disconnects. */
export function misbehave(fault: Fault, response: ServerResponse): void {
  if (fault.kind === 'hangs') return;
  if (fault.kind === 'answers') {
    response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
    response.end(fault.body);
  } else if (fault.kind === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' });
    pourForever(response);
  } else response.destroy();
}
