import { describe, expect, it } from 'vitest';
import { RpcFailure } from '#rpc-failure';
import { answering } from '#wire/json-rpc';
import { TASK_ERRORS, TaskError, type TaskErrorCode } from './errors.ts';

const CODES = Object.keys(TASK_ERRORS) as TaskErrorCode[];

describe('failures of tasks', () => {
  it.each(CODES)('[TYPE-09] are sent with a code of the specification: %s', async (code) => {
    const failing = answering(async () => {
      throw new TaskError(code, 'Words for the requestor.');
    });

    const error = await failing.catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(RpcFailure);
    expect(error).toMatchObject({ code: TASK_ERRORS[code], message: 'Words for the requestor.' });
    expect([-32_601, -32_602, -32_603]).toContain(TASK_ERRORS[code]);
  });
});
