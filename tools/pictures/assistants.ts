import { discoverOAuth } from "../../test/support/mcp-oauth.ts";
import { CLIENT, fetchFromEverywhere } from "../../test/support/mcp-program.ts";
import type { Program } from "../../test/support/program.ts";

/** Assistants that were let in: one at work, others that nobody has used yet. */
export async function letAssistantsIn({ url }: Pick<Program, "url">): Promise<void> {
  const client = await discoverOAuth({ mcpUrl: `${url}/mcp`, fetch: fetchFromEverywhere() });
  for (let count = 0; count < 3; count += 1) await client.authorize("monitor:read");
  const { access_token: token } = await client.authorize("monitor:read alerts:write", { ticks: ["alerts:write"] });
  await client.call(token, "tools/list");
}

/** Where an assistant sends its user to be let in. */
export function consentPath({ url }: Pick<Program, "url">): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT.id,
    redirect_uri: "http://127.0.0.1:33418/callback",
    scope: "monitor:read alerts:write",
    resource: `${url}/mcp`,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  return `/oauth/authorize?${query}`;
}
