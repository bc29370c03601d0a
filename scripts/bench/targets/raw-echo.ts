import { createServer } from 'node:http';
import { listen } from './listen.ts';

// A minimal JSON server: it reads, parses and writes back. No token, no database.
listen(
  createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
      res.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      res.end(text);
    });
  }),
);
