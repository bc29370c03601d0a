export type { Admission } from './admission.ts';
export {
  BODY_PROBLEMS,
  type BodyProblem,
  type JsonText,
  MAX_BODY_BYTES,
  MAX_DISCARDED_BYTES,
  readJson,
} from './body.ts';
export { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
export { checkHost, checkOrigin, createGuard, type Guard, type GuardOptions, hasOneHost } from './guard.ts';
export { createMcpHttp, type From, type McpHttp, type McpHttpOptions } from './http.ts';
export { type Listening, type ListenOptions, listen } from './listen.ts';
export { Refusal, unauthorized } from './refusal.ts';
