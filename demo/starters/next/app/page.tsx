export default function Page() {
  return <h1>Harbour</h1>;
}
