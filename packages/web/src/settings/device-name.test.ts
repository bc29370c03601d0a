import { expect, it } from 'vitest';
import { deviceName } from './device-name.ts';

it('names a browser and its system as people do', () => {
  const like = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

  expect(deviceName(`Mozilla/5.0 (Windows NT 10.0; Win64) ${like} Edg/140.0`)).toBe('Edge on Windows');
  expect(deviceName(`Mozilla/5.0 (X11; Linux x86_64) ${like}`)).toBe('Chrome on Linux');
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18) AppleWebKit Version/18 Mobile Safari/604')).toBe(
    'Safari on iPhone',
  );
  expect(deviceName('curl/8')).toBe('curl/8');
  expect(deviceName('')).toBe('Unknown browser');
});
