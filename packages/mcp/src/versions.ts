export const VERSIONS_2025: ReadonlySet<string> = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);
export const LATEST_2025 = '2025-11-25';

/** What a client means that names no version: the header came with the revision after it. */
export const UNNAMED_VERSION = '2025-03-26';

/** The one revision that lets a client send several messages at once. */
export const BATCHING_VERSION = '2025-03-26';

/** The one revision of its generation that has tasks. */
export const TASKS_VERSION = '2025-11-25';

export const VERSION_2026 = '2026-07-28';

const PREFIX = 'io.modelcontextprotocol/';
export const PROTOCOL_VERSION = `${PREFIX}protocolVersion`;
export const CLIENT_CAPABILITIES = `${PREFIX}clientCapabilities`;
export const CLIENT_INFO = `${PREFIX}clientInfo`;
export const LOG_LEVEL = `${PREFIX}logLevel`;
export const SERVER_INFO = `${PREFIX}serverInfo`;
export const SUBSCRIPTION_ID = `${PREFIX}subscriptionId`;
