export default {
  // As a bundle for a container is made: with the packages inside.
  ssr: { noExternal: true },
};
