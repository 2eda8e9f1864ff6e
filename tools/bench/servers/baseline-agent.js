// The baseline of an idle agent in `ingest`: what any program must load that keeps one stream of gRPC open.
import { Client, credentials } from "@grpc/grpc-js";

const same = (bytes) => bytes;
const trust = credentials.createSsl(null, null, null, { rejectUnauthorized: false, checkServerIdentity: () => undefined });
const client = new Client(`127.0.0.1:${process.argv[2]}`, trust);
const call = client.makeBidiStreamRequest("/service.agent.v1.Ingest/Push", same, same);
call.on("error", (error) => {
  throw error;
});
call.on("data", () => process.stdout.write("open\n"));
// An empty message: answered, and nothing is saved.
call.write(Buffer.alloc(0));
