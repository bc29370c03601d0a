export { type StdioOptions, serveStdio } from './stdio.ts';
