//! Graphs in GraphML.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;

use super::edge_list::NamedGraph;
use super::number;
use super::problem::excerpt;
use super::source::{decompressed, open};
use super::xml::{Event, Reader};
use crate::data::{Graph, GraphLabel};
use crate::error::{Error, Result};

/// Longest document that is read: 1 GiB.
const LONGEST: u64 = 1 << 30;

/// Which data of a GraphML file are what.
///
/// ```
/// use mercer::data::GraphmlOptions;
/// let options = GraphmlOptions { node_label: "element".into(), ..GraphmlOptions::default() };
/// assert_eq!((&options.edge_label[..], &options.edge_weight[..]), ("label", "weight"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphmlOptions {
    /// The name (`attr.name`) of the data that are labels of nodes.
    pub node_label: String,
    /// The name of the data that are labels of edges.
    pub edge_label: String,
    /// The name of the data that are weights of edges.
    pub edge_weight: String,
}

impl Default for GraphmlOptions {
    /// `label`, `label` and `weight`.
    fn default() -> Self {
        let [node_label, edge_label, edge_weight] = ["label", "label", "weight"].map(String::from);
        GraphmlOptions { node_label, edge_label, edge_weight }
    }
}

/// Reads the graphs of a GraphML document.
///
/// Data of the names that the options give are labels and weights; other data of a numeric type are attributes, in the
/// order of their keys, and other text is left out. A default of a key counts where a node or an edge has no data of its own;
/// what some have and others have not is refused. Nested graphs, ports and hyperedges are refused, and so are graphs of
/// which some edges are directed and others not.
///
/// ```
/// use mercer::data::{GraphLabel, GraphmlOptions, read_graphml_from};
/// let text = r#"<graphml>
///   <key id="e" for="node" attr.name="label" attr.type="string"><default>C</default></key>
///   <key id="x" for="node" attr.name="charge" attr.type="double"/>
///   <graph edgedefault="undirected">
///     <node id="a"><data key="x">0.5</data></node>
///     <node id="b"><data key="e">O</data><data key="x">-0.5</data></node>
///     <edge source="a" target="b"/>
///   </graph>
/// </graphml>"#;
/// let named = read_graphml_from(text.as_bytes(), &GraphmlOptions::default())?.remove(0);
/// assert_eq!(named.names, ["a", "b"]);
/// assert_eq!(named.graph.node_labels().unwrap(), [GraphLabel::from("C"), GraphLabel::from("O")]);
/// assert_eq!(named.graph.node_attributes(1), Some(&[-0.5][..]));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt, M. S. Marshall: GraphML progress report, Graph Drawing 2001.
///
/// # Errors
/// [`Error::Io`] and [`Error::Parse`] with the place.
pub fn read_graphml_from(source: impl Read, options: &GraphmlOptions) -> Result<Vec<NamedGraph>> {
    read(decompressed(source)?, options)
}

/// Reads the graphs of a GraphML file, see [`read_graphml_from`].
///
/// # Errors
/// [`Error::File`] if the file cannot be read, [`Error::InFile`] with the place of what cannot be used.
pub fn read_graphml(path: impl AsRef<Path>, options: &GraphmlOptions) -> Result<Vec<NamedGraph>> {
    let path = path.as_ref();
    open(path).and_then(|text| read(text, options)).map_err(|error| error.in_file(path))
}

fn read(text: impl Read, options: &GraphmlOptions) -> Result<Vec<NamedGraph>> {
    let mut bytes = Vec::new();
    text.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Error::Unsupported { what: format!("a document of more than {LONGEST} bytes") });
    }
    let mut document = Document {
        xml: Reader::new(&bytes)?,
        options,
        keys: HashMap::new(),
        used: Vec::new(),
        taken: HashSet::new(),
    };
    document.graphs()
}

/// What a key says about the data that refer to it.
struct Key {
    use_as: Use,
    default: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    Label,
    Weight,
    Attribute,
    Nothing,
}

/// A node or an edge is being read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Node,
    Edge,
}

/// What nodes or edges have, one after the other.
#[derive(Default)]
struct Columns {
    count: usize,
    labels: Vec<GraphLabel>,
    weights: Vec<f64>,
    attributes: Vec<f64>,
}

struct Document<'a> {
    xml: Reader<'a>,
    options: &'a GraphmlOptions,
    /// By identifier; a key for all kinds is one for each.
    keys: HashMap<(Owner, String), Key>,
    /// Those that mean something, in their order.
    used: Vec<(Owner, String)>,
    /// What is a label or a weight already.
    taken: HashSet<(Owner, Use)>,
}

type Attributes = Vec<(String, String)>;

impl Document<'_> {
    fn graphs(&mut self) -> Result<Vec<NamedGraph>> {
        let mut graphs = Vec::new();
        match self.xml.next()? {
            Some(Event::Start { name, .. }) if local(&name) == "graphml" => {}
            _ => return Err(self.xml.problem("expected <graphml>")),
        }
        while let Some(event) = self.xml.next()? {
            match event {
                Event::Start { name, attributes } => match local(&name) {
                    "key" => self.key(&attributes)?,
                    "graph" => graphs.push(self.graph(&attributes)?),
                    "data" | "desc" => _ = self.text()?,
                    other => return Err(self.unexpected(other)),
                },
                Event::Text(text) => self.only_spaces(&text)?,
                Event::End => {}
            }
        }
        if graphs.is_empty() { Err(Error::Empty { what: "graphs" }) } else { Ok(graphs) }
    }

    fn key(&mut self, attributes: &Attributes) -> Result<()> {
        let id = self.required(attributes, "key", "id")?.to_string();
        let name = value(attributes, "attr.name").unwrap_or("").to_string();
        let numeric = matches!(value(attributes, "attr.type"), Some("int" | "long" | "float" | "double"));
        let owners: &[Owner] = match value(attributes, "for").unwrap_or("all") {
            "node" => &[Owner::Node],
            "edge" => &[Owner::Edge],
            "all" => &[Owner::Node, Owner::Edge],
            _ => &[],
        };
        let mut default = None;
        loop {
            match self.within("key")? {
                Event::Start { name, .. } if local(&name) == "default" => default = Some(self.text()?),
                Event::Start { name, .. } if local(&name) == "desc" => _ = self.text()?,
                Event::Start { name, .. } => return Err(self.unexpected(local(&name))),
                Event::Text(text) => self.only_spaces(&text)?,
                Event::End => break,
            }
        }
        for &owner in owners {
            let use_as = match owner {
                Owner::Node if name == self.options.node_label => Use::Label,
                Owner::Edge if name == self.options.edge_label => Use::Label,
                Owner::Edge if name == self.options.edge_weight => Use::Weight,
                _ if numeric => Use::Attribute,
                _ => Use::Nothing,
            };
            if matches!(use_as, Use::Label | Use::Weight) && !self.taken.insert((owner, use_as)) {
                return Err(self.xml.problem(format!("two keys are called `{}`", excerpt(name.as_bytes()))));
            }
            let key = Key { use_as, default: default.clone() };
            if self.keys.insert((owner, id.clone()), key).is_some() {
                return Err(self.xml.problem(format!("two keys have the id `{}`", excerpt(id.as_bytes()))));
            }
            if use_as != Use::Nothing {
                self.used.push((owner, id.clone()));
            }
        }
        Ok(())
    }

    fn graph(&mut self, attributes: &Attributes) -> Result<NamedGraph> {
        let directed = match self.required(attributes, "graph", "edgedefault")? {
            "directed" => true,
            "undirected" => false,
            other => {
                let other = excerpt(other.as_bytes());
                return Err(self
                    .xml
                    .problem(format!("edgedefault is `{other}`: expected directed or undirected")));
            }
        };
        let (mut names, mut numbers) = (Vec::new(), HashMap::new());
        let (mut nodes, mut edges) = (Columns::default(), Columns::default());
        // Edges may stand before their nodes.
        let (mut ends, mut all_directed) = (Vec::new(), None);
        loop {
            match self.within("graph")? {
                Event::Start { name, attributes } => match local(&name) {
                    "node" => {
                        let id = self.required(&attributes, "node", "id")?.to_string();
                        if numbers.insert(id.clone(), names.len()).is_some() {
                            let id = excerpt(id.as_bytes());
                            return Err(self.xml.problem(format!("two nodes have the id `{id}`")));
                        }
                        names.push(id);
                        self.data(Owner::Node, "node", &mut nodes)?;
                    }
                    "edge" => {
                        let line = self.xml.line();
                        let source = self.required(&attributes, "edge", "source")?.to_string();
                        let target = self.required(&attributes, "edge", "target")?.to_string();
                        let this = match value(&attributes, "directed") {
                            None => directed,
                            Some("true") => true,
                            Some("false") => false,
                            Some(_) => return Err(self.xml.problem("directed: expected true or false")),
                        };
                        if all_directed.is_some_and(|all| all != this) {
                            return Err(self.xml.problem("some edges are directed and others are not"));
                        }
                        all_directed = Some(this);
                        ends.push((source, target, line));
                        self.data(Owner::Edge, "edge", &mut edges)?;
                    }
                    "data" | "desc" => _ = self.text()?,
                    other => return Err(self.unexpected(other)),
                },
                Event::Text(text) => self.only_spaces(&text)?,
                Event::End => break,
            }
        }
        let place = |name: &String, line: u64| {
            numbers.get(name).copied().ok_or_else(|| Error::Parse {
                line,
                column: 1,
                problem: format!("an edge of node `{}`, which is not there", excerpt(name.as_bytes())),
            })
        };
        let pairs = ends
            .iter()
            .map(|(from, to, line)| Ok((place(from, *line)?, place(to, *line)?)))
            .collect::<Result<Vec<_>>>()?;
        let directed = all_directed.unwrap_or(directed);
        let mut graph = if directed {
            Graph::directed(names.len(), &pairs)?
        } else {
            Graph::undirected(names.len(), &pairs)?
        };
        if !nodes.labels.is_empty() {
            graph = graph.with_node_labels(nodes.labels)?;
        }
        if !nodes.attributes.is_empty() {
            graph = graph.with_node_attributes(nodes.attributes)?;
        }
        if !edges.labels.is_empty() {
            graph = graph.with_edge_labels(edges.labels)?;
        }
        if !edges.weights.is_empty() {
            graph = graph.with_edge_weights(edges.weights)?;
        }
        if !edges.attributes.is_empty() {
            graph = graph.with_edge_attributes(edges.attributes)?;
        }
        Ok(NamedGraph { graph, names })
    }

    /// Reads the data of a node or an edge to its end, and appends them.
    fn data(&mut self, owner: Owner, element: &str, columns: &mut Columns) -> Result<()> {
        let mut own = HashMap::new();
        loop {
            match self.within(element)? {
                Event::Start { name, attributes } if local(&name) == "data" => {
                    let key = self.required(&attributes, "data", "key")?.to_string();
                    if !self.keys.contains_key(&(owner, key.clone())) {
                        let key = excerpt(key.as_bytes());
                        return Err(self
                            .xml
                            .problem(format!("data of key `{key}`, which no <key> declares")));
                    }
                    let text = self.text()?;
                    own.insert(key, text);
                }
                Event::Start { name, .. } if local(&name) == "desc" => _ = self.text()?,
                Event::Start { name, .. } => return Err(self.unexpected(local(&name))),
                Event::Text(text) => self.only_spaces(&text)?,
                Event::End => break,
            }
        }
        let keys =
            self.used.iter().filter(|(kind, _)| *kind == owner).map(|named| (&named.1, &self.keys[named]));
        let (labels, weights, attributes) =
            (columns.labels.len(), columns.weights.len(), columns.attributes.len());
        for (id, key) in keys {
            let Some(text) = own.get(id).or(key.default.as_ref()).map(|text| text.trim()) else { continue };
            match key.use_as {
                Use::Label => columns.labels.push(GraphLabel::read(text)),
                Use::Weight => {
                    let weight = self.number(text)?;
                    if weight < 0.0 {
                        return Err(self.xml.problem(format!("a weight of {weight}: expected at least 0")));
                    }
                    columns.weights.push(weight);
                }
                Use::Attribute => columns.attributes.push(self.number(text)?),
                Use::Nothing => {}
            }
        }
        // All have the same data, or none: what the first has.
        let whole = |what: &str, before: usize, after: usize| {
            if before * (columns.count + 1) == after * columns.count {
                return Ok(());
            }
            Err(self.xml.problem(format!("not all {element}s have {what}, and there is no default")))
        };
        whole("a label", labels, columns.labels.len())?;
        whole("a weight", weights, columns.weights.len())?;
        whole("all attributes", attributes, columns.attributes.len())?;
        columns.count += 1;
        Ok(())
    }

    fn number(&self, text: &str) -> Result<f64> {
        number::parse(text.as_bytes()).map_err(|refusal| self.xml.problem(refusal.problem(text.as_bytes())))
    }

    /// The next event inside of an element.
    fn within(&mut self, element: &str) -> Result<Event> {
        self.xml.next()?.ok_or_else(|| self.xml.problem(format!("the file ends within <{element}>")))
    }

    /// The text of an element without others in it, to its end.
    fn text(&mut self) -> Result<String> {
        let mut all = String::new();
        loop {
            match self.within("data")? {
                Event::Text(text) => all.push_str(&text),
                Event::End => return Ok(all),
                Event::Start { name, .. } => return Err(self.unexpected(local(&name))),
            }
        }
    }

    fn only_spaces(&self, text: &str) -> Result<()> {
        if text.trim().is_empty() {
            return Ok(());
        }
        Err(self.xml.problem(format!("`{}` between elements", excerpt(text.trim().as_bytes()))))
    }

    fn unexpected(&self, name: &str) -> Error {
        self.xml.problem(format!("<{}> is not read here", excerpt(name.as_bytes())))
    }

    fn required<'b>(&self, attributes: &'b Attributes, element: &str, name: &str) -> Result<&'b str> {
        value(attributes, name).ok_or_else(|| self.xml.problem(format!("<{element}> without {name}")))
    }
}

/// The name without the prefix of its namespace.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn value<'a>(attributes: &'a Attributes, name: &str) -> Option<&'a str> {
    attributes.iter().find(|(key, _)| key == name).map(|(_, value)| &value[..])
}
