import type { ChannelRecord, CreateBody, RuleBody, RuleRecord, TestResult, UpdateBody } from "../../../src/alerting/channels/api.ts";
import { deleteJson, postJson, putJson } from "./client.ts";

const CHANNELS = "/api/v1/channels";

export function createChannel(body: CreateBody): Promise<ChannelRecord> {
  return postJson<ChannelRecord>(CHANNELS, body);
}

/** What is left out stays as it is. */
export function updateChannel(id: number, body: UpdateBody): Promise<ChannelRecord> {
  return putJson<ChannelRecord>(`${CHANNELS}/${id}`, body);
}

/** Deletes it with its rules, unless something uses it. */
export function deleteChannel(id: number): Promise<void> {
  return deleteJson(`${CHANNELS}/${id}`);
}

/** Sends a test message, and answers what its receiver said. */
export function testChannel(id: number): Promise<TestResult> {
  return postJson<TestResult>(`${CHANNELS}/${id}/test`);
}

export function addRule(id: number, body: RuleBody): Promise<RuleRecord> {
  return postJson<RuleRecord>(`${CHANNELS}/${id}/rules`, body);
}

export function removeRule(id: number, ruleId: number): Promise<void> {
  return deleteJson(`${CHANNELS}/${id}/rules/${ruleId}`);
}
