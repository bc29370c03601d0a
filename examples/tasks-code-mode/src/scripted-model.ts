/** The programs that a model would write; here they are scripted. */
export const PROGRAMS = {
  'Add up the orders of each customer.': `
    const totals = {};
    for (const [at, { customer, price }] of variables.orders.entries()) {
      totals[customer] = (totals[customer] ?? 0) + price;
      progress(at + 1, variables.orders.length);
    }
    setVariable('totals', totals);
    return Object.keys(totals).length + ' customers';`,
  'Read the passwords.': "const fs = await import('node:fs'); return fs.readFileSync('/etc/passwd', 'utf8');",
  'Use require.': "return require('node:fs').readdirSync('/');",
  'Find the process.': "return this.constructor.constructor('return process')().env;",
  'Find the process through an error of Node.': `
    try { await import('node:net'); } catch (error) { return error.constructor.constructor('return process')().env; }`,
  'Change what Node inherits.': `
    try { await import('node:net'); } catch (error) {
      let top = error;
      while (Object.getPrototypeOf(top) !== null) top = Object.getPrototypeOf(top);
      top.mine = 'changed';
      throw new Error(top === Object.prototype ? 'not Node' : top.mine ?? 'unchanged');
    }`,
  'Call home.': "return (await fetch('http://127.0.0.1:1/')).status;",
  'Take all memory.': "const all = []; for (;;) all.push('x'.repeat(1e6) + all.length);",
  'Take memory outside of the heap.': 'return new Uint8Array(1e9).fill(1).length;',
  'Never stop.': 'for (;;) {}',
  'Say too much.': "for (let i = 0; i < 100; i += 1) setVariable('noise', 'x'.repeat(10_000));",
} as const;

export type Prompt = keyof typeof PROGRAMS;

export const askModel = (prompt: Prompt): string => PROGRAMS[prompt];
