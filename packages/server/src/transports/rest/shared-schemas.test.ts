import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#tools/schema';
import { shareSchemas } from './shared-schemas.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const object = (properties: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema => ({
  type: 'object',
  properties,
  ...(description !== undefined && { description }),
});

const person = object({ id: text('Id.'), name: text('Name.') });
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

describe('the schemas that a document shares', () => {
  it('are the objects that occur more than once, under the name of the field that holds them first', () => {
    const list = object({ people: { type: 'array', items: person }, next: text('Cursor.') });
    const one = object({ owner: { ...person, description: 'Who owns it.' }, title: text('Title.') });

    const { schemas, share } = shareSchemas(
      [
        { schema: list, name: 'ListAnswer' },
        { schema: one, name: 'OneAnswer' },
      ],
      {},
    );

    expect(Object.keys(schemas).toSorted()).toEqual(['ListAnswer', 'OneAnswer', 'People']);
    expect(schemas.OneAnswer?.properties?.owner).toEqual({ ...ref('People'), description: 'Who owns it.' });
    expect(share(list)).toEqual(ref('ListAnswer'));
  });

  it('tell apart two objects of one name by what is around them', () => {
    const other = object({ id: text('Id.'), size: text('Size.') });
    const roots = [person, other].flatMap((item, index) =>
      ['Get', 'Put'].map((verb) => ({ schema: object({ item, verb: text(verb) }), name: `${verb}${index}` })),
    );

    const { schemas } = shareSchemas(roots, {});

    expect(schemas.Item).toEqual(person);
    expect(schemas.Get1Item).toEqual(other);
  });

  it('are called by the names that are given for them, and keep what they say', () => {
    const counted = object({ person, count: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } });

    const { schemas } = shareSchemas([{ schema: counted, name: 'Answer' }], { Person: person });

    expect(schemas).toEqual({
      Person: person,
      Answer: object({ person: ref('Person'), count: { type: 'integer', minimum: 0 } }),
    });
  });

  it('are long fields, too, when they occur often', () => {
    const key = {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'A name for this operation, of your own.',
    };
    const roots = Array.from({ length: 6 }, (_, index) => ({
      schema: object({ key, [`field_${index}`]: text('Field.') }),
      name: `Body${index}`,
    }));

    expect(shareSchemas(roots, {}).schemas).toMatchObject({ Key: key, Body0: { properties: { key: ref('Key') } } });
    expect(shareSchemas(roots.slice(1), {}).schemas).not.toHaveProperty('Key');
  });
});
