import process from 'node:process';
import { ABUSERS, type Target } from './abuse.ts';

// All abusers run in their own process, so that they do not distort the measurements.
interface Order extends Target {
  readonly connections: number;
  readonly ms: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const signal = AbortSignal.timeout(order.ms);
await Promise.all(Object.values(ABUSERS).map((abuse) => abuse(order, { connections: order.connections, signal })));
process.exit(0);
