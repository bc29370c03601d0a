import { flushCompileCache } from 'node:module';

/** Later than a program needs to load its code, and before a test stops it. */
const LOADED_MS = 500;

// A program that a signal ends writes nothing at its end.
setTimeout(flushCompileCache, LOADED_MS).unref();
