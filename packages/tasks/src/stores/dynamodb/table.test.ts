import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tableDefinition } from './table.ts';

const TEMPLATE = join(import.meta.dirname, '../../../cloudformation/tasks-table.yaml');

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Writes the part of YAML that a template needs. */
function yamlLines(value: object): readonly string[] {
  if (isList(value)) {
    return value.flatMap((entry) => {
      const [first = '', ...rest] = isNested(entry) ? yamlLines(entry) : [String(entry)];
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  return Object.entries(value).flatMap(([name, entry]) =>
    isNested(entry) ? [`${name}:`, ...yamlLines(entry).map((line) => `  ${line}`)] : [`${name}: ${entry}`],
  );
}

it('[STOR-13] the template makes the table that the store is tested on, with expiry and recovery', () => {
  const { create, time_to_live } = tableDefinition('!Ref TableName');
  const properties = {
    ...create,
    TimeToLiveSpecification: time_to_live.TimeToLiveSpecification ?? {},
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  };

  const template = readFileSync(TEMPLATE, 'utf8');

  const made = template.slice(template.indexOf('    Properties:\n'), template.indexOf('\nOutputs:'));
  expect(made).toBe(
    `${['Properties:', ...yamlLines(properties).map((line) => `  ${line}`)].map((line) => `    ${line}\n`).join('')}`,
  );
});

it('[STOR-13] the template takes the name of the table and outputs its name and ARN', () => {
  const template = readFileSync(TEMPLATE, 'utf8');

  const [, parameters = '', outputs = ''] =
    /^Parameters:\n([\s\S]*?)^Resources:[\s\S]*^Outputs:\n([\s\S]*)/m.exec(template) ?? [];

  expect(parameters).toMatch(/^ {2}TableName:\n {4}Type: String$/m);
  expect(outputs).toContain('!Ref TasksTable');
  expect(outputs).toContain('!GetAtt TasksTable.Arn');
});
