export { answerEarly, type EarlyAnswers, type EarlyStreams } from './early-answers.ts';
export { recordAnswers } from './record-answers.ts';
