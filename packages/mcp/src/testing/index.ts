export { a2025Request, a2026Request, INITIALIZE, META, type Message, VERSION, WITH_TASKS } from './messages.ts';
export { type Answer, codeOf, messagesIn, openHttp, type TestHttp } from './open-http.ts';
