/** The environment of this process, for `readConfig` and for the programs that it starts. */
export const environment = (): NodeJS.ProcessEnv => process.env;
