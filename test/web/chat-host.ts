import type { Page } from 'playwright-core';

const SANDBOX = 'allow-scripts';
/** What the extension prescribes for a view that names no other address. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

/** The page of a small chat: it speaks MCP with the server, and shows the view of a tool in a frame. It runs in the browser. */
const SCRIPT = `
const { token, path, tool, args, theme, policy, sandbox } = window.wanted;
const log = (window.log = []);
const version = '2025-06-18';
let session = null;
let last = 0;
async function ask(method, params) {
  last += 1;
  const answer = await fetch(path, {
    method: 'POST',
    headers: {
      authorization: 'Bearer ' + token,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(session !== null && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: last, method, params }),
  });
  session ??= answer.headers.get('mcp-session-id');
  return answer.json();
}
const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
await ask('initialize', { protocolVersion: version, capabilities: { extensions }, clientInfo: { name: 'chat', version: '1' } });
const { tools } = (await ask('tools/list', {})).result;
const shown = tools.find(({ name }) => name === tool);
const result = (await ask('tools/call', { name: tool, arguments: args })).result;
const [{ text, mimeType }] = (await ask('resources/read', { uri: shown._meta.ui.resourceUri })).result.contents;
window.view = { uri: shown._meta.ui.resourceUri, mimeType, characters: text.length };

const frame = document.createElement('iframe');
frame.setAttribute('sandbox', sandbox);
frame.style = 'width: 1200px; height: 700px; border: 0';
const say = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
window.addEventListener('message', async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  log.push(data.method);
  if (data.method === 'ui/initialize') {
    say({ id: data.id, result: { protocolVersion: data.params.protocolVersion, hostInfo: { name: 'chat', version: '1' }, hostCapabilities: { serverTools: {} }, hostContext: { theme } } });
  } else if (data.method === 'ui/notifications/initialized') {
    say({ method: 'ui/notifications/tool-input', params: { arguments: args } });
    say({ method: 'ui/notifications/tool-result', params: result });
  } else if (data.method === 'tools/call') {
    const { result: given, error } = await ask('tools/call', data.params);
    say({ id: data.id, ...(error ? { error } : { result: given }) });
  }
});
frame.srcdoc = text.replace('<head>', '<head><meta http-equiv="Content-Security-Policy" content="' + policy + '">');
document.body.append(frame);
`;

interface Wanted {
  readonly token: string;
  /** The address of MCP. */
  readonly path?: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly theme?: 'light' | 'dark';
}

/** Opens a chat that calls a tool and shows its view. Returns the frame with the view. */
export async function inChat(page: Page, origin: string, { path = '/mcp', theme = 'light', ...wanted }: Wanted) {
  const settings = JSON.stringify({ ...wanted, path, theme, policy: POLICY, sandbox: SANDBOX }).replaceAll(
    '<',
    '\\u003c',
  );
  await page.route(`${origin}/chat`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Chat</title><body><script>window.wanted = ${settings};</script><script type="module">${SCRIPT}</script>`,
    }),
  );
  await page.goto(`${origin}/chat`);
  return page.frameLocator('iframe');
}
