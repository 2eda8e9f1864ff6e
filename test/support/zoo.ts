import type { TestEngine } from "./engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "./images.ts";

/** One container of every kind that the pages must show well. Resolves once they have been started; what they do takes some seconds. */
export async function startZoo(engine: TestEngine, prefix?: string): Promise<TestContainers & { ids: Record<string, string> }> {
  await importBusybox(engine);
  const zoo = createTestContainers(engine, prefix);
  const shop = ["--label", "com.docker.compose.project=shop"];
  const talk =
    'i=0; while :; do i=$((i+1)); echo "\u001b[32minfo\u001b[0m  GET /cart/$i 200 $((i % 40)) ms"; [ $((i % 7)) = 0 ] && echo "\u001b[33mwarn\u001b[0m  heap at $i MB of 256 MB" >&2; sleep 0.3; done';
  const kinds: [name: string, flags: string[], ...command: string[]][] = [
    ["storefront", [...shop, "-p", "127.0.0.1::80", "--label", "app.api_key=s3cret"], "sh", "-c", talk],
    [
      "checkout-api",
      [...shop, "--restart", "always", "--label", "service.alert.restart_threshold=2"],
      "sh",
      "-c",
      "echo listening on :8080; sleep 1; echo fatal: cannot reach the ledger >&2; exit 2",
    ],
    ["search", [...shop, "--health-cmd", "true", "--health-interval", "5s"], "sleep", "100000"],
    [
      "importer",
      ["--label", "service.group=Batch", "--health-cmd", "false", "--health-interval", "5s", "--health-retries", "1"],
      "sleep",
      "100000",
    ],
    ["nightly-backup", ["--label", "service.group=Batch"], "sh", "-c", "echo backed up 41 GB; exit 0"],
    [
      "migration",
      ["--label", "service.group=Batch", "--label", "service.alert.severity=loud"],
      "sh",
      "-c",
      "echo migrating; sleep 1; exit 1",
    ],
    ["maintenance-job", []],
    ["cache", []],
  ];
  const ids: Record<string, string> = {};
  for (const [name, flags, ...command] of kinds) {
    // Without a network: interfaces that come and go make Chromium drop its requests.
    const network = flags.includes("-p") ? [] : ["--network", "none"];
    ids[name] = await zoo.run(name, [...network, ...flags], ...command);
  }
  await engine.docker("pause", ids["maintenance-job"] ?? "");
  return { ...zoo, ids };
}
