import { argv } from 'node:process';
import { rawDynamoDb, rawPostgres, rawRedis, rawSqlite } from './raw-stores.ts';
import { answerCycles } from './task-cycles.ts';

// The driver alone: one insert, one read and one update of a row of the same size, each durable before the next.
const OPEN = { sqlite: rawSqlite, postgres: rawPostgres, redis: rawRedis, dynamodb: rawDynamoDb };
const open = OPEN[argv[2] as keyof typeof OPEN]; // the suite names one of these
answerCycles(await open(argv[3] ?? ''));
