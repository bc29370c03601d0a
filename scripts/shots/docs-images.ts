import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Theme } from './camera.ts';

/** The pictures of README and the guide: of which view, and light or dark. */
export const DOCS_IMAGES: readonly { readonly image: string; readonly view: string; readonly theme: Theme }[] = [
  { image: 'board', view: 'board', theme: 'light' },
  { image: 'board-dark', view: 'board', theme: 'dark' },
  { image: 'task', view: 'task-panel', theme: 'light' },
  { image: 'attempt', view: 'attempt-timeline', theme: 'light' },
  { image: 'inbox', view: 'inbox-question', theme: 'light' },
];

/** Larger ones would make every clone and package larger. */
const MAX_BYTES = 100 * 1024;
const QUALITIES = [0.9, 0.8, 0.7, 0.6, 0.5];

/** Draws a picture in the browser and has the browser write it smaller: no other encoder is needed. */
const ENCODE = async ({ png, quality }: { readonly png: string; readonly quality: number }): Promise<string> => {
  // Run in the page, whose names this program does not know.
  const page = globalThis as unknown as {
    Image: new () => { src: string; width: number; height: number; decode: () => Promise<void> };
    document: {
      createElement: (name: string) => {
        width: number;
        height: number;
        getContext: (kind: string) => { drawImage: (image: unknown, x: number, y: number) => void };
        toDataURL: (type: string, quality: number) => string;
      };
    };
  };
  const image = new page.Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = page.document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality);
};

/** Writes a picture for the documentation, as good as its bound allows. `page` is an empty page of the browser. */
export async function writeDocsImage(page: Page, png: Buffer, folder: string, name: string): Promise<string> {
  for (const quality of QUALITIES) {
    const url = await page.evaluate(ENCODE, { png: png.toString('base64'), quality });
    const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    if (bytes.length > MAX_BYTES) continue;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}.webp`);
    writeFileSync(file, bytes);
    return file;
  }
  throw new Error(`${name} is larger than ${MAX_BYTES} bytes even at the lowest quality`);
}
