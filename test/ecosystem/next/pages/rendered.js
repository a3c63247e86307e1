export default function Rendered({ name }) {
  return `rendered for ${name}`;
}

export const getServerSideProps = async ({ query, res }) => {
  if (query.name === 'nobody') return { notFound: true };
  if (query.name === 'other') return { redirect: { destination: '/', permanent: false } };
  if (query.name === 'broken') throw new Error('thrown while rendering');
  res.setHeader('Set-Cookie', ['id=7; HttpOnly', 'theme=dark']);
  return { props: { name: query.name ?? 'somebody' } };
};
