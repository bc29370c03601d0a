// Runs in a process of its own, started by run-program.ts. Reads {source, variables} from its input, and writes one JSON
// message per line to its output. Nothing else connects the program with the world.
import { stdin, stdout } from 'node:process';
import vm from 'node:vm';

let input = '';
for await (const chunk of stdin) input += chunk;
const { source, variables } = JSON.parse(input);

// A realm without Node: no process, no modules, no timers, no network.
const realm = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });

// Everything that the program is given is made inside of its realm; strings only go out of it. Globals that can hold
// memory outside of the heap, where no limit counts it, are not kept.
const PRELUDE = `(send, json) => {
  'use strict';
  const KEPT = ['Object', 'Function', 'Array', 'Number', 'parseFloat', 'parseInt', 'Infinity', 'NaN', 'undefined', 'Boolean',
    'String', 'Symbol', 'Date', 'Promise', 'RegExp', 'Error', 'TypeError', 'RangeError', 'SyntaxError', 'globalThis', 'JSON',
    'Math', 'Map', 'Set', 'WeakMap', 'WeakSet', 'BigInt', 'isFinite', 'isNaN'];
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!KEPT.includes(name)) delete globalThis[name];
  const { parse, stringify } = JSON;
  const post = (kind, value) => send(stringify({ kind, value }));
  globalThis.variables = parse(json);
  globalThis.setVariable = (name, value) => post('variable', { name, value });
  globalThis.progress = (progress, total, message) => post('progress', { progress, total, message });
  return (program) => {
    program().then((value) => post('result', value), (error) => post('error', '' + (error && error.message)));
  };
}`;

const send = (line) => {
  stdout.write(`${line}\n`);
};
const begin = vm.runInContext(PRELUDE, realm)(send, JSON.stringify(variables));
begin(vm.runInContext(`async () => {${source}\n}`, realm));
