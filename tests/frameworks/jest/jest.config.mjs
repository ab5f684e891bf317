export default {
  rootDir: import.meta.dirname,
  roots: ["<rootDir>"],
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/strip-types.mjs" },
};
