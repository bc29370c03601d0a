import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../chromium.ts';
import { NOW } from './schedule.ts';

export const SIZES = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } } as const;
export type Size = keyof typeof SIZES;
export type Theme = 'light' | 'dark';

/** Prefers the faces that the design was drawn with, where the machine or the given folder has them. */
function fontSettings(scratch: string, fonts: string | undefined): string {
  const path = join(scratch, 'fonts.conf');
  const alias = (family: string, face: string): string =>
    `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>${face}</string></edit></match>`;
  writeFileSync(
    path,
    `<?xml version="1.0"?><fontconfig><include>/etc/fonts/fonts.conf</include>
${fonts === undefined ? '' : `<dir>${fonts}</dir>`}<cachedir>${scratch}</cachedir>
${alias('system-ui', 'Inter')}${alias('sans-serif', 'Inter')}${alias('sans', 'Inter')}${alias('ui-monospace', 'JetBrains Mono')}${alias('monospace', 'JetBrains Mono')}</fontconfig>`,
  );
  return path;
}

const PATIENCE_MS = 30_000;

export interface Frame {
  readonly size: Size;
  readonly theme: Theme;
}

/** A browser whose clock stands still, so that every picture shows the same times. */
export async function openCamera(
  scratch: string,
  { fonts, scale }: { readonly fonts?: string | undefined; readonly scale: number },
) {
  const env = { ...process.env, FONTCONFIG_FILE: fontSettings(mkdtempSync(join(scratch, 'fonts-')), fonts) };
  const browser: Browser = await chromium.launch({ executablePath: chromiumPath(), args: [...CHROMIUM_FLAGS], env });

  async function window({ size, theme }: Frame): Promise<BrowserContext> {
    return browser.newContext({
      viewport: SIZES[size],
      deviceScaleFactor: scale,
      colorScheme: theme,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      locale: 'en-GB',
      isMobile: size === 390,
      hasTouch: size === 390,
    });
  }

  return {
    window,
    /** A page of a window, at the moment of the pictures; its clock stands still unless it flows. */
    page: async (of: BrowserContext, flows = false): Promise<Page> => {
      const page = await of.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await (flows ? page.clock.install({ time: NOW }) : page.clock.setFixedTime(NOW));
      return page;
    },
    close: () => browser.close(),
  };
}

export type Camera = Awaited<ReturnType<typeof openCamera>>;
