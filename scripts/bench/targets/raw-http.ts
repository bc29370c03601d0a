import { createServer } from 'node:http';
import { argv } from 'node:process';
import { listen } from './listen.ts';

// A minimal JSON server: it reads, parses and writes. No token, no database, no protocol.
const result = JSON.parse(argv[2] ?? '') as unknown;

listen(
  createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
      const text = JSON.stringify({ jsonrpc: '2.0', id, result });
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      res.end(text);
    });
  }),
);
