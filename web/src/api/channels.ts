import type { CreateBody, RuleBody, UpdateBody } from "../../../src/alerting/channels/api.ts";
import type { ChannelRecord, RuleRecord, TestResult } from "../../../src/alerting/channels/answers.ts";
import { request } from "./client.ts";

export function createChannel(body: CreateBody): Promise<ChannelRecord> {
  return request("POST /api/v1/channels", { body });
}

/** What is left out stays as it is. */
export function updateChannel(id: number, body: UpdateBody): Promise<ChannelRecord> {
  return request("PUT /api/v1/channels/{id}", { params: { id }, body });
}

/** Deletes it with its rules, unless something uses it. */
export function deleteChannel(id: number): Promise<void> {
  return request("DELETE /api/v1/channels/{id}", { params: { id } });
}

/** Sends a test message, and returns what its receiver answered. */
export function testChannel(id: number): Promise<TestResult> {
  return request("POST /api/v1/channels/{id}/test", { params: { id } });
}

export function addRule(id: number, body: RuleBody): Promise<RuleRecord> {
  return request("POST /api/v1/channels/{id}/rules", { params: { id }, body });
}

export function removeRule(id: number, ruleId: number): Promise<void> {
  return request("DELETE /api/v1/channels/{id}/rules/{rule_id}", { params: { id, rule_id: ruleId } });
}
