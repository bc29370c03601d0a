import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { chat } from './chat.ts';
import type { Answer, Dialect } from './dialect.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import type { Play } from './script.ts';

const DIALECTS: readonly Dialect[] = [chat, gemini, messages, responses];

const HEARD_CHARS = 500;

export interface ModelServer extends AsyncDisposable {
  readonly origin: string;
  /** The model's requests, tool results and actions: the text for a failed assertion. */
  readonly story: readonly string[];
}

function send(response: ServerResponse, answer: Answer): void {
  if ('json' in answer) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer.events.join(''));
}

/** Starts a language model on loopback that plays a script in the dialect of each client. */
export async function startModel(play: Play): Promise<ModelServer> {
  const story: string[] = [];

  const playAndTell: Play = (conversation) => {
    const turn = play(conversation);
    story.push(`  heard: ${conversation.results.at(-1)?.text.slice(0, HEARD_CHARS) ?? 'nothing'}`);
    story.push('say' in turn ? `  says: ${turn.say}` : `  calls: ${turn.call} ${JSON.stringify(turn.arguments)}`);
    return turn;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const dialect = request.method === 'POST' ? DIALECTS.find(({ speaks }) => speaks(path)) : undefined;
    story.push(`${request.method} ${path}${dialect ? '' : ' (not answered)'}`);
    if (!dialect) return void response.writeHead(404).end();
    send(response, dialect.answer({ path, body: await json(request) }, playAndTell));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      story.push(String(error));
      response.writeHead(400).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    story,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
