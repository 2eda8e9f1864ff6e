/** How a test depends on files other than by imports, as data. A changed file that neither imports nor these explain asks for all tests. */

/** Files that read, run or start others without importing them. Patterns as in tools/import-rules.ts. */
export interface Link {
  by: readonly string[];
  files: readonly string[];
}

export interface ReachRules {
  /** Opened as data, or run as a thread or a process. */
  reads: readonly Link[];
  /** Run as the whole program: its tests come last, since they reach nearly everything. */
  runs: readonly Link[];
  /** Every test depends on them. */
  everything: readonly string[];
  /** No test depends on them. */
  nothing: readonly string[];
}

export const REACH_RULES: ReachRules = {
  reads: [
    { by: ["src/storage/series/computer.ts"], files: ["src/storage/series/worker.ts"] },
    { by: ["src/images/packages/layers/thread.ts"], files: ["src/images/packages/layers/worker.ts"] },
    { by: ["src/fleet/handshake.test.ts"], files: ["src/fleet/handshake-vectors.json"] },
    { by: ["src/alerting/escalation/purge.test.ts"], files: ["src/alerting/escalation/purge.ts"] },
    { by: ["src/app/mcp-stdio/bridge.test.ts"], files: ["src/app/mcp-stdio/bridge.ts"] },
    { by: ["src/collector/probes/real-network.test.ts"], files: ["test/support/probes-process.ts"] },
    { by: ["src/fleet/uplink/spool/crash.test.ts"], files: ["src/fleet/uplink/spool/index.ts", "src/platform/{clock,log}.ts"] },
    { by: ["src/storage/sqlite.test.ts"], files: ["src/storage/sqlite.ts", "src/platform/clock.ts"] },
    { by: ["src/fleet/wire/gen/**"], files: ["proto/**"] },
    { by: ["src/publishing/status/page/accent.test.ts", "web/src/pages/status-page/contrast.test.ts"], files: ["web/src/theme.css"] },
    { by: ["web/src/theme.test.ts"], files: ["web/src/theme.css"] },
    { by: ["web/src/logs/ansi-colours.test.ts"], files: ["web/src/logs/ansi.css", "web/src/theme.css"] },
    { by: ["test/surface.test.ts"], files: ["test/surface.json", "web/public/**"] },
    { by: ["test/stories/deliveries-crash.test.ts"], files: ["test/support/delivery-writer.ts"] },
    { by: ["test/support/writer-process.ts"], files: ["test/support/series-writer.ts"] },
    { by: ["tools/mutants/suite.ts"], files: ["tools/mutants/run-tests.ts"] },
    { by: ["test/support/kubernetes-schemas.ts"], files: ["test/support/kubernetes-schemas.json"] },
    { by: ["test/support/{nginx,compose,product-image}.ts"], files: ["deploy/**", ".dockerignore"] },
    { by: ["src/fleet/enrollment/templates/kubernetes.test.ts"], files: ["deploy/kubernetes/agent.yaml"] },
    { by: ["test/support/helm.ts"], files: ["deploy/{helm,kubernetes}/**", "tools/on-demand/helm/**"] },
  ],
  runs: [
    { by: ["test/stories/**", "test/support/{program,product-image}.ts"], files: ["src/main.ts", "tools/{build,warm}.ts"] },
    {
      by: ["test/support/browser.ts"],
      files: ["web/src/main.tsx", "web/{vite.config.ts,index.html}", "web/public/**", "web/src/**/*.css"],
    },
  ],
  everything: [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tools/test.ts",
    "tools/test-parts.ts",
    "tools/testing/{isolation,jobs,lane,lanes,pack}.ts",
  ],
  nothing: [
    "**/*.md",
    "docs/**",
    "LICENSE",
    "{.ci,.githooks,.vscode}/**",
    ".{editorconfig,gitignore,npmrc,oxfmtrc.json,oxlintrc.json}",
    "{buf.yaml,buf.gen.yaml,knip.json,web/tsconfig.json}",
    "tools/bench/**/*.js",
  ],
};
