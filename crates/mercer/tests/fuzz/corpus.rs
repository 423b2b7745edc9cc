//! Valid inputs, from which the fuzzers begin.

/// Inputs of one reader.
pub fn of(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

pub const TABLES: [&str; 8] = [
    "width,height,label\n1,2,small\n30,40,large\n5,?,small\n",
    "5.1,3.5,1.4,0.2,a\n4.9,3.0,1.4,0.2,b\n6.2,3.4,5.4,2.3,c\n",
    "\"a\"\"b\",\"c,d\",y\r\n1,2,+1\r\n-3e5,4.25,-1\r\n",
    "name\tweight\ttarget\nx y\t1.5\t3\n\"quoted\tz\t2.5\t4\n",
    "1;2;3\n4;5;6\n7;8;9\n",
    "color,size,label\nred,1,yes\nblue,2,no\nred,,yes\n,4,no\n",
    "\u{feff}a,b\n1,2\n\n3,4\n",
    "1,2,x",
];

pub const LIBSVM: [&str; 6] = [
    "+1 1:0.5 3:2\n-1 # empty\n+1 2:-1e-3 7:4\n",
    "3 qid:1 1:1 2:0.5\n2 qid:1 1:0.25\n1 qid:2 2:1\n",
    "0.5 1:1\n-2.25 2:3\n",
    "1,3 1:0.5\n2 2:0.5\n",
    "1 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8\n-1 8:1\n",
    "# comment\n1 100000:1\n-1 5:2",
];

pub const PRECOMPUTED: [&str; 2] = [
    "1 0:1 1:2 2:1 3:0\n-1 0:2 1:1 2:2 3:1\n1 0:3 1:0 2:1 3:2\n",
    "0.5 0:2 1:1 2:0.25\n1.5 0:1 1:0.25 2:1\n",
];

pub const GRAPHML: [&str; 2] = [
    "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<key id=\"l\" for=\"node\" attr.name=\"label\" \
     attr.type=\"string\"/>\n<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"><default>1.5</default></key>\n<graph \
     edgedefault=\"undirected\"><node id=\"a\"><data key=\"l\">C</data></node><node id=\"b\"/><edge source=\"a\" target=\"b\"><data \
     key=\"w\">2</data></edge></graph></graphml>\n",
    "<graphml><!-- one --><graph id=\"G\" edgedefault=\"directed\"><node id=\"1\"/><node id=\"2\"/><edge source=\"1\" \
     target=\"2\"/></graph><graph edgedefault=\"undirected\"><node id=\"&lt;x&#65;\"/></graph></graphml>",
];

pub const EDGES: [&str; 3] = ["a b\nb c 2.5\nc a 1e-3\n", "# comment\n1,2,0.5\n2,3,1\n", "x\ty\nz\tx\n"];

pub const TREES: [&str; 4] = [
    "(S (NP (D the) (N cat)) (VP (V sat)))\n(S (X a))\n",
    "((A,B)C:0.5,(D,'it''s'[note [nested]]):1e-2)R;\n(x,y);\n",
    "tree,label\n\"(S (A b) (C d))\",yes\n\"(S (A c))\",no\n",
    "((a\\) b) c)",
];

pub const SERIES: [&str; 4] = [
    "@problemName t\n@univariate true\n@classLabel true up down\n@data\n1,2,3:up\n3,1:down\n",
    "@univariate false\n@dimensions 2\n@classLabel true a b\n@data\n1,2:3,4:a\n5,6:7,8:b\n",
    "1,2,3,4,a\n2,3,4,5,b\n",
    "# note\n1\t0.5\t0.25\n2\t1.5\t?\n",
];

pub const STRINGS: [&str; 4] = [
    ">P1 a protein | kinase\nMKV\nLLA\n>P2 | other\nGGH\n",
    "sequence,label\ngattaca,+\nccacca,-\n",
    "one line\nanother line\n\nä third\n",
    "text\tlabel\n\"a \"\"b\"\" c\"\t1\nplain\t2\n",
];

pub const RECORDS: [&str; 2] =
    ["age,color,set,label\n1,red,a|b,x\n2.5,blue,,y\n,red,b,x\n", "a;b\n1;2\n3;4\n"];

/// Files of a folder of graphs in the layout of TU Dortmund: name and content.
pub const FOLDER: [(&str, &str); 5] = [
    ("G_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n"),
    ("G_graph_indicator.txt", "1\n1\n2\n2\n"),
    ("G_graph_labels.txt", "1\n-1\n"),
    ("G_node_labels.txt", "0\n1\n1\n0\n"),
    ("G_edge_attributes.txt", "0.5\n0.5\n1.5\n1.5\n"),
];

pub const KERNELS: [&str; 12] = [
    "gaussian(gamma=0.1)",
    "0.5 * polynomial(degree=2, gamma=1, constant=1) + linear",
    "gaussian(length_scale=[1, 2, 3])",
    "normalise(polynomial(degree=3)) * gaussian(gamma=median)",
    "anova(degree=2, gamma=1)",
    "columns([0, 2], linear) + columns([1], gaussian(gamma=1))",
    "periodic(period=1, length_scale=2) + white(0.1) + constant(2)",
    "centre(sigmoid(gamma=0.1, constant=-1))",
    "matern(nu=1.5, length_scale=2) * rational_quadratic(alpha=1, length_scale=1)",
    "chi2(gamma=0.2)",
    "((((linear))))",
    "2 * (linear + 3 * cosine) * laplacian(gamma=0.5)",
];

pub const STRUCTURE_KERNELS: [&str; 12] = [
    "spectrum(k=3)",
    "subsequence(k=2, decay=0.5)",
    "0.5 * spectrum(k=2) + mismatch(k=3, m=1)",
    "normalise(all_subsequences)",
    "wl(h=3)",
    "shortest_path",
    "random_walk(decay=0.1)",
    "subtree(decay=0.5)",
    "global_alignment(sigma=1)",
    "dtw(gamma=0.1)",
    "edit(gamma=1)",
    "bag_of_words + 2 * spectrum(k=1)",
];
