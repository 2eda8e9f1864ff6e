import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { Client, credentials, Server, ServerCredentials, type ServerDuplexStream, type ServiceError, status } from "@grpc/grpc-js";
import { encodeAgentMessage, takeBatch } from "./batch.ts";
import { encodeEvent } from "./event.ts";
import {
  type AgentMessage,
  RegisterAgentRequestSchema,
  type RegisterAgentResponse,
  RegisterAgentResponseSchema,
  type ServerMessage,
  ServerMessageSchema,
} from "./gen/service/agent/v1/ingest_pb.ts";
import { INGEST_SERVICE } from "./service.ts";

describe("the service of agents", () => {
  const server = new Server();
  let client: Client;
  const got: AgentMessage[] = [];

  before(async () => {
    server.addService(INGEST_SERVICE, {
      registerAgent(call: { request: { label: string } }, answer: (error: null, response: RegisterAgentResponse) => void) {
        answer(null, create(RegisterAgentResponseSchema, { label: call.request.label.toUpperCase() }));
      },
      push(call: ServerDuplexStream<AgentMessage, ServerMessage>) {
        call.on("data", (message: AgentMessage) => {
          got.push(message);
          call.write(create(ServerMessageSchema, { body: { case: "ack", value: { lastSeq: 7n } } }));
        });
        call.on("end", () => call.end());
      },
    });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
    });
    client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  });
  after(() => {
    client.close();
    server.forceShutdown();
  });

  const push = () => {
    const { path, requestSerialize, responseDeserialize } = INGEST_SERVICE.push;
    return client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
  };

  it("answers to the names of the contract", () => {
    assert.deepEqual(
      Object.values(INGEST_SERVICE).map(({ path }) => path),
      ["/service.agent.v1.Ingest/RegisterAgent", "/service.agent.v1.Ingest/Push"],
    );
  });

  it("carries calls", async () => {
    const { path, requestSerialize, responseDeserialize } = INGEST_SERVICE.registerAgent;
    const label = await new Promise((resolve, reject) => {
      const request = create(RegisterAgentRequestSchema, { label: "harbour" });
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, response) =>
        error ? reject(error) : resolve(response?.label),
      );
    });
    assert.equal(label, "HARBOUR");
  });

  it("carries messages and ready bytes alike", async () => {
    const stream = push();
    const observation = { kind: "container.gone", observedAt: new Date(0), externalId: "a" } as const;
    const bytes = encodeEvent({ seq: 7, eventId: new Uint8Array(16), replayed: false, observation });
    const ready = takeBatch([{ seq: 7, bytes }])?.message ?? assert.fail();
    stream.write(ready);
    const [answer] = (await once(stream, "data")) as [ServerMessage];
    assert.deepEqual(answer.body.case === "ack" && answer.body.value.lastSeq, 7n);
    assert.deepEqual(encodeAgentMessage(got[0]?.body ?? assert.fail()), new Uint8Array(ready));
    stream.end();
    stream.resume();
    await once(stream, "end");
  });

  it("ends a stream that brings garbage, and no other", async () => {
    const [good, bad] = [push(), push()];
    bad.write(new Uint8Array(100).fill(255));
    bad.resume();
    const [error] = (await once(bad, "error")) as [ServiceError];
    assert.equal(error.code, status.INTERNAL);
    assert.match(error.details, /deserializing/);
    good.write(encodeAgentMessage({ case: undefined }));
    await once(good, "data");
    good.cancel();
    await once(good, "error");
  });
});
