import { describe, expect, it } from 'vitest';
import { createRoutes } from './routes.ts';

const PATHS = [
  'GET /tasks',
  'POST /tasks',
  'GET /tasks/{task_id}',
  'GET /tasks/next',
  'POST /tasks/next/claim',
  'GET /tasks/{id}/steps/{step}',
];

const find = createRoutes(
  PATHS.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path, answer: route };
  }),
);

describe('the routes of the REST API', () => {
  it.each([
    ['/tasks', 'GET /tasks', {}],
    ['/tasks/', 'GET /tasks', {}],
    ['/tasks/next', 'GET /tasks/next', {}],
    ['/tasks/7', 'GET /tasks/{task_id}', { task_id: '7' }],
    ['/tasks/a%2Fb', 'GET /tasks/{task_id}', { task_id: 'a/b' }],
    ['/tasks/7/steps/1', 'GET /tasks/{id}/steps/{step}', { id: '7', step: '1' }],
    ['/tasks/next/steps/1', 'GET /tasks/{id}/steps/{step}', { id: 'next', step: '1' }],
  ])('finds %s', (path, route, params) => {
    expect(find(path)?.at('GET')).toEqual({ answer: route, params });
  });

  it.each(['/', '/task', '/tasks//steps/1', '/tasks/7/steps', '/tasks/7/steps/1/2', '/__proto__'])(
    'finds nothing at %s',
    (path) => {
      expect(find(path)).toBeNull();
    },
  );

  it('names the methods of an address', () => {
    expect(find('/tasks')?.methods()).toEqual(['GET', 'POST']);
    expect(find('/tasks')?.at('PUT')).toBeUndefined();
  });

  it('refuses an address that cannot be decoded', () => {
    expect(() => find('/tasks/%')).toThrow('The address is not valid');
  });
});
