export { answerEarly, type EarlyStreams, resumeEarly } from './early-answers.ts';
export { type EarlyAnswers, type EarlyRead, type EarlyResult, readEarly } from './read-early.ts';
export { recordAnswers } from './record-answers.ts';
