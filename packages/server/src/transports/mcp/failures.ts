import { type Failures, LimitError } from '@errand/mcp';
import { ErrandError } from '#errors';
import { failureOf, type Report } from '#transports/answer';

/** Our errors as an MCP client gets them. The HTTP listener itself answers errors from before a call. */
export const createMcpFailures = (report: Report): Failures => ({
  describe: (error, correlation_id) => {
    const cause = error instanceof LimitError ? new ErrandError('rate_limited', error.message) : error;
    const { status, error: said } = failureOf(cause, report, correlation_id);
    const { message, ...data } = said;
    return { message, data, ...(cause instanceof ErrandError && { status }) };
  },
  passesOn: (error) => error instanceof ErrandError,
});
