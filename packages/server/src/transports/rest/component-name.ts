/** The name of a component of the OpenAPI document: `task_id` becomes `TaskId`. */
export const componentName = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
