/** One server-sent event. */
export interface ReceivedEvent {
  readonly id: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads server-sent events by the rules for browsers: an incomplete event does not count. */
export function createEventReader() {
  const heard: ReceivedEvent[] = [];
  const waiting = new Set<() => void>();
  let line: number[] = [];
  let fields = new Map<string, string>();
  let last_id = '';

  function takeLine(text: string): void {
    if (text === '') {
      last_id = fields.get('id') ?? last_id;
      const data = fields.get('data');
      if (data !== undefined)
        heard.push({ id: last_id, kind: fields.get('event') ?? 'message', data: JSON.parse(data) });
      fields = new Map();
      return;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(text) ?? [];
    fields.set(name, value);
  }

  return {
    heard,
    /** The changes, without the events that only give the reader's position. */
    changes: (): readonly ReceivedEvent[] => heard.filter(({ kind }) => kind !== 'position'),
    lastId: (): string => last_id,
    feed: (bytes: Uint8Array): void => {
      for (const byte of bytes) {
        if (byte !== 10) line.push(byte);
        else {
          takeLine(Buffer.from(line).toString());
          line = [];
        }
      }
      for (const look of waiting) look();
    },
    /** Resolves when the condition holds; the test's own timeout is the only one. */
    until: (isSo: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!isSo()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
