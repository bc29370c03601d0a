import { generateAst, parseSpec, printAst } from 'oazapfts';
import { createContext } from 'oazapfts/context';
import { parse } from 'yaml';

type Spec = Awaited<ReturnType<typeof parseSpec>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

async function specOf(document: string): Promise<Spec> {
  const parsed: unknown = parse(document);
  // A text would be taken for the name of a file that holds the document.
  if (!isObject(parsed)) throw new Error('it is not an object');
  const spec = await parseSpec(parsed as Spec);
  if (!isObject(spec.paths) || Object.keys(spec.paths).length === 0) throw new Error('it has no paths');
  return spec;
}

/** A typed client of the API that an OpenAPI document in YAML describes, as TypeScript. */
export async function swaggerClient(document: string): Promise<string> {
  const context = createContext(await specOf(document), {
    allSchemas: true,
    futureStripLegacyMethods: true,
    unionUndefined: true,
  });
  return printAst(
    await generateAst({
      ...context,
      banner: 'Generated from docs/swagger.yaml by npm run generate; what is edited here is lost.',
      imports: [
        [{ namespace: 'Oazapfts' }, { from: '#clients/api-runtime' }],
        [{ namespace: 'QS' }, { from: '@oazapfts/runtime/query' }],
      ],
    }),
  );
}

/** The client of the document in a file, or one line about why there is none. */
export async function clientOf(file: string, document: string | null): Promise<string> {
  if (document === null) throw new Error(`${file} is missing: npm run generate writes it.`);
  try {
    return await swaggerClient(document);
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Error(`${file} makes no client: ${why.replace(/:$/, '')}`);
  }
}
