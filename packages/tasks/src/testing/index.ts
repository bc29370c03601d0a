export { aTask } from './a-task.ts';
export type { StoreCheck, StoreSetup } from './check.ts';
export { checkAgainstModel, type ModelRunOptions } from './check-against-model.ts';
export { CHECKS } from './checks.ts';
export { type ContractOptions, describeTaskStore } from './contract.ts';
export { createHistory, type History, type Operation, record, type Step } from './history.ts';
export { isLinearizable, violationsOf } from './linear.ts';
