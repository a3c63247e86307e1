export default function Index() {
  return 'a page that was rendered at build time';
}
