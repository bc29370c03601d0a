/** Every service, as tools see them. */
export type Services = Record<string, never>;
