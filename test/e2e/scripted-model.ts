import { type AgentInputItem, type Model, type ModelRequest, type ModelResponse, Usage } from '@openai/agents';

export interface ScriptedCall {
  readonly name: string;
  /** The arguments. `$task_id` is replaced by the id of the first answer. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A scripted language model: one tool call per turn, then a final text. */
export class ScriptedModel implements Model {
  readonly #script: readonly ScriptedCall[];
  /** The tool results as the model saw them. */
  results: readonly Record<string, unknown>[] = [];

  constructor(script: readonly ScriptedCall[]) {
    this.#script = script;
  }

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    this.results = typeof input === 'string' ? [] : input.flatMap(toolResult);
    const next = this.#script[this.results.length];
    if (next === undefined) return { usage: new Usage(), output: [message('Done.')] };

    const offered = JSON.stringify(next.arguments).replaceAll('$task_id', String(this.results[0]?.task_id));
    const callId = `call_${this.results.length}`;
    return {
      usage: new Usage(),
      output: [{ type: 'function_call', callId, name: next.name, arguments: offered, status: 'completed' }],
    };
  }

  // biome-ignore lint/correctness/useYield: the runner asks for a stream only when it was told to
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('The script is not streamed.');
  }
}

const message = (text: string): ModelResponse['output'][number] => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

function toolResult(item: AgentInputItem): readonly Record<string, unknown>[] {
  if (item.type !== 'function_call_result') return [];
  const { output } = item;
  const parts = Array.isArray(output) ? output : [output];
  const texts = parts.map((part) => (typeof part === 'string' ? part : 'text' in part ? part.text : ''));
  return [JSON.parse(texts.join('')) as Record<string, unknown>];
}
