import { chromiumPath } from './chromium.ts';
import { javaPath } from './dynamodb.ts';
import { postgresFolder } from './postgres.ts';
import { redisPath } from './redis.ts';

// In the order in which tests need them. A test run that had to install one would leave the cores idle meanwhile.
for (const path of [postgresFolder, redisPath, javaPath, chromiumPath]) path();
