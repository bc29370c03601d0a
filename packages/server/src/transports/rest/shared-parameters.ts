import { componentName } from './component-name.ts';
import { mapOperations, type Operation, type Parameter, type Paths } from './operation-parts.ts';

type Shareable = NonNullable<Operation['parameters']>[number];

const isWhole = (parameter: Shareable): parameter is Parameter => 'name' in parameter;

/** The parameters that occur more than once, by their content. A second form of one name gets its place as a suffix. */
function sharedForms(all: readonly Parameter[]): ReadonlyMap<string, string> {
  const forms = Map.groupBy(all, (parameter) => JSON.stringify(parameter));
  const repeated = [...forms].filter(([, same]) => same.length > 1).toSorted(([, a], [, b]) => b.length - a.length);
  const names = new Map<string, string>();
  for (const [form, [parameter]] of repeated) {
    if (parameter === undefined) continue;
    const name = componentName(parameter.name);
    const free = [name, `${name}In${componentName(parameter.in)}`].find((each) => !names.has(each));
    if (free !== undefined) names.set(free, form);
  }
  return new Map([...names].map(([name, form]) => [form, name]));
}

/** The same paths, with references to the parameters that they share. */
export function shareParameters(paths: Paths) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const forms = sharedForms(operations.flatMap(({ parameters = [] }) => parameters.filter(isWhole)));
  const share = (parameter: Shareable): Shareable => {
    const name = forms.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  const shared = (operation: Operation): Operation =>
    operation.parameters === undefined ? operation : { ...operation, parameters: operation.parameters.map(share) };
  // Safe: `sharedForms` wrote them as JSON.
  return {
    paths: mapOperations(paths, shared),
    parameters: Object.fromEntries([...forms].map(([form, name]) => [name, JSON.parse(form) as Parameter])),
  };
}
