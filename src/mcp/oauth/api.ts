import { z } from "zod";
import { pathId } from "../../http/schemas.ts";

export const connectionParams = z.strictObject({ id: pathId });

/** A name that stands in an address more than once has a list. */
const value = z.union([z.string(), z.array(z.string())]);

/** The schema does not judge it: a client gets OAuth's own errors. */
export const authorizeQuery = z
  .object({
    response_type: value.optional().meta({ description: "`code`" }),
    client_id: value.optional().meta({ description: "the value of SERVICE_MCP_CLIENT_ID" }),
    redirect_uri: value.optional().meta({ description: "one of SERVICE_MCP_REDIRECT_URIS, or http on this computer itself" }),
    code_challenge: value.optional().meta({ description: "SHA-256 of the verifier, in base64url" }),
    code_challenge_method: value.optional().meta({ description: "`S256`" }),
    scope: value.optional().meta({ description: "separated by spaces; `monitor:read` when it is left out" }),
    state: value.optional().meta({ description: "comes back as it is" }),
    resource: value.optional().meta({ description: "the address of /mcp" }),
  })
  .catchall(value);

/** Of an address that takes no parameters. */
export const anyQuery = z.record(z.string(), value);
