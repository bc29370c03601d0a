/** The environment of this process, for `readConfig` and for programs that are started. */
export const environment = (): NodeJS.ProcessEnv => process.env;
