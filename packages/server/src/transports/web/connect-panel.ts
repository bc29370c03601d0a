import { html } from 'hono/html';
import { CLIENTS, type Client, serverEntry, setupLines } from '#transports/mcp-clients';
import type { Html } from './page.ts';

const code = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

const clientSetup = (mcp_url: string) => (client: Client) =>
  html`<details name="client">
<summary>${client.title}</summary>
${code(setupLines(client.setup(mcp_url, 'TOKEN')).join('\n'))}
</details>`;

const otherClients = (mcp_url: string): string =>
  JSON.stringify({ mcpServers: { errand: serverEntry(mcp_url, 'TOKEN') } }, null, 2);

/** How to connect an agent, with the address at which the browser reached this server. */
export const connectPanel = (origin: string): Html => html`<section class="panel" aria-labelledby="connect">
<h2 id="connect">Connect an agent</h2>
<p>Give it a token of its own, with its command filled in:</p>
${code('npx errand connect claude --apply')}
<p class="quiet">Without a name, <code>npx errand connect</code> lists the agents found on this machine. To set one up by hand, put a token in place of TOKEN:</p>
<div class="clients">
${CLIENTS.map(clientSetup(`${origin}/mcp`))}
<details name="client">
<summary>Any other client</summary>
${code(otherClients(`${origin}/mcp`))}
</details>
</div>
<p class="quiet"><a href="/docs/getting-started">Getting started</a> · <a href="/docs/tokens">Tokens</a></p>
</section>`;
