export const VERSIONS_2025: ReadonlySet<string> = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);
export const LATEST_2025 = '2025-11-25';

/** The version of a client that sends no version header: the version after it introduced the header. */
export const UNNAMED_VERSION = '2025-03-26';

/** The only revision with batches. */
export const BATCHING_VERSION = '2025-03-26';

/** The only revision of its generation with tasks. */
export const TASKS_VERSION = '2025-11-25';

export const VERSION_2026 = '2026-07-28';

const PREFIX = 'io.modelcontextprotocol/';
export const PROTOCOL_VERSION = `${PREFIX}protocolVersion`;
export const CLIENT_CAPABILITIES = `${PREFIX}clientCapabilities`;
export const CLIENT_INFO = `${PREFIX}clientInfo`;
export const LOG_LEVEL = `${PREFIX}logLevel`;
export const SERVER_INFO = `${PREFIX}serverInfo`;
/** Declaring it changes no answer of `server/discover` and `tools/list`. */
export const TASKS_EXTENSION = `${PREFIX}tasks`;
export const SUBSCRIPTION_ID = `${PREFIX}subscriptionId`;
